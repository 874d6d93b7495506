import App
placeholder()

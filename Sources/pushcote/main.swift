internal import App

await PushcoteCommand.main()

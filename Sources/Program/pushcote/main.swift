await PushcoteCommand.main()

internal import CLI

await PushcoteCommand.main()

// Every example as a program: the argument says which. Tests drive it over the protocol.
import ServiceExtensionRuntime

// The examples' classes are internal, as Xcode makes them.
#if DEBUG
@testable import AnswersTooLateExample
@testable import AnswersTwiceExample
@testable import AnyThreadExample
@testable import AwaitExample
@testable import BadgeExample
@testable import CallExample
@testable import CrashesExample
@testable import ExitsExample
@testable import InvalidAttachmentExample
@testable import MessageExample
@testable import NeverAnswersExample
@testable import PictureExample
@testable import ReminderExample
@testable import RemovesAlertExample
@testable import SeedDonations
@testable import SeedMessage
@testable import SeedTitle
@testable import SlowExample
@testable import SuppressesExample
@testable import TakesMemoryExample

switch CommandLine.arguments.last {
case "AnswersTooLate": ServiceExtensionProcess.run { AnswersTooLateExample.NotificationService() }
case "AnswersTwice": ServiceExtensionProcess.run { AnswersTwiceExample.NotificationService() }
case "AnyThread": ServiceExtensionProcess.run { AnyThreadExample.NotificationService() }
case "Await": ServiceExtensionProcess.run { AwaitExample.NotificationService() }
case "Badge": ServiceExtensionProcess.run { BadgeExample.NotificationService() }
case "Call": ServiceExtensionProcess.run { CallExample.NotificationService() }
case "Crashes": ServiceExtensionProcess.run { CrashesExample.NotificationService() }
case "Exits": ServiceExtensionProcess.run { ExitsExample.NotificationService() }
case "InvalidAttachment": ServiceExtensionProcess.run { InvalidAttachmentExample.NotificationService() }
case "Message": ServiceExtensionProcess.run { MessageExample.NotificationService() }
case "NeverAnswers": ServiceExtensionProcess.run { NeverAnswersExample.NotificationService() }
case "Picture": ServiceExtensionProcess.run { PictureExample.NotificationService() }
case "Reminder": ServiceExtensionProcess.run { ReminderExample.NotificationService() }
case "RemovesAlert": ServiceExtensionProcess.run { RemovesAlertExample.NotificationService() }
case "SeedDonations": ServiceExtensionProcess.run { SeedDonations.NotificationService() }
case "SeedMessage": ServiceExtensionProcess.run { SeedMessage.NotificationService() }
case "SeedTitle": ServiceExtensionProcess.run { SeedTitle.NotificationService() }
case "Slow": ServiceExtensionProcess.run { SlowExample.NotificationService() }
case "Suppresses": ServiceExtensionProcess.run { SuppressesExample.NotificationService() }
case "TakesMemory": ServiceExtensionProcess.run { TakesMemoryExample.NotificationService() }
default: fatalError("no such example")
}
#endif

// The entry point of connections: drivers to real providers, and what operators have set for them.
export type {
  BegunStep,
  CheckResult,
  Connection,
  Driver,
  DriverLogger,
  DriverTools,
  RailRequest,
  RailRequests,
  ReceivedWebhook,
  RecordedAnswer,
  SettingSpec,
  VerifiedWebhook,
  WebhookAnswer,
  WebhookNotification,
  WebhookReceiver,
} from './driver.ts'

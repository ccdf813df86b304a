const REQUEST_EVENTS = /^(verification|counterparty|approval)\./

/** Whether an event is about a request that an agent made of an endpoint. */
export function isRequestEvent(eventType: string): boolean {
  return REQUEST_EVENTS.test(eventType)
}

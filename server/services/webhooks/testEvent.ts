/** Type of the event that an owner has sent to see whether a webhook works; it is tried once. */
export const TEST_EVENT = 'webhook.test'

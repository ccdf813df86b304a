/** What does not change while the service runs, its clock and its source of randomness. */
export type RegistrySettings = {
  /** Base address of the service, without a slash at the end. */
  publicUrl: string
  /** Whether agents and endpoints may be at hosts that are not public; only with the local chain. */
  allowPrivateNetwork: boolean
  randomBytes: (length: number) => Uint8Array
  /** Epoch milliseconds. */
  clock: () => number
}

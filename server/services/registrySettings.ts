/** Constant settings, the clock and the source of randomness. */
export type RegistrySettings = {
  /** Base URL of the service, without a trailing slash. */
  publicUrl: string
  /** Whether agents and endpoints may be at hosts that are not public; only with the local chain. */
  allowPrivateNetwork: boolean
  randomBytes: (length: number) => Uint8Array
  /** Epoch milliseconds. */
  clock: () => number
}

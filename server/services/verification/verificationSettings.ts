/** What does not change while the service runs, and its source of randomness. */
export type VerificationSettings = {
  appUrl: string
  publicUrl: string
  approvalMs: number
  randomBytes: (length: number) => Uint8Array
}

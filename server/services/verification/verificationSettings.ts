/** Constant settings and the source of randomness. */
export type VerificationSettings = {
  appUrl: string
  publicUrl: string
  approvalMs: number
  randomBytes: (length: number) => Uint8Array
}

/** What is used of libsodium, whose functions take any bytes. */
export type Sodium = {
  readonly crypto_sign_BYTES: number
  crypto_sign_detached(signature: Uint8Array, text: Uint8Array, secretKey: Uint8Array): void
  crypto_sign_verify_detached(signature: Uint8Array, text: Uint8Array, publicKey: Uint8Array): boolean
}

/**
 * The library that signs and verifies in half the time of Node's OpenSSL (`npm run bench -- --only http`). Null on a
 * platform for which it has no binary, such as Alpine Linux.
 */
export const sodium: Sodium | null = await import('sodium-native').then(
  (module) => module.default,
  () => null,
)

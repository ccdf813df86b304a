/** The part of `http_ece`, which has no types, that notifications use. Source: RFC 8188; RFC 8291. */
declare module 'http_ece' {
  import type { ECDH } from 'node:crypto'

  type Parameters = {
    version: 'aes128gcm'
    /** Key of the sender for this message only. */
    privateKey: ECDH
    /** Public key of the receiver, in base64url. */
    dh: string
    /** Secret of the receiver, in base64url. */
    authSecret: string
  }

  const ece: { encrypt(buffer: Buffer, parameters: Parameters): Buffer }
  export default ece
}

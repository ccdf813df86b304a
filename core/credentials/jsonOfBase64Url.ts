import { jsonOfBytes } from '../json/jsonOfBytes.ts'
import { bytesOfBase64Url } from './bytesOfBase64Url.ts'

/** The JSON value that a text in base64url holds; undefined for what is none. Source: RFC 7515 §2. */
export function jsonOfBase64Url(text: string): unknown {
  const bytes = bytesOfBase64Url(text)
  return bytes === null ? undefined : jsonOfBytes(bytes)
}

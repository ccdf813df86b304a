import type { CredentialKind } from '../builders/createEveryCredential.ts'
import type { HostileRequest } from './arbitraryRequest.ts'

export type Headers = Readonly<Record<string, string>>

/** A credential of the scene: its headers, or how it signs a request. */
export type FuzzCredential = readonly [
  name: string,
  kind: CredentialKind | 'operator' | 'signature',
  headers: Headers | ((request: HostileRequest) => Promise<Headers>),
]

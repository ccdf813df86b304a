/**
 * Name of something that a use case changes, and by which it is locked.
 *
 * An account is named by what the use case knows of it: its id, its wallet, or a token or session of it. `key` is a public
 * key or credential that only one owner may use. `job` is background work that one process does at a time. `receipt` is the
 * grant of a record. `proof` is the identifier of a use of a proof; the recorder locks it by the same name.
 */
export type LockName =
  `${'account' | 'agent' | 'endpoint' | 'job' | 'key' | 'organization' | 'proof' | 'receipt'} ${string}`

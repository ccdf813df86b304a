/**
 * Name of something that a use case changes, and by which it is locked.
 *
 * An account is named by what the use case knows of it: its id, its wallet, or a token or session of it. `key` is a public
 * key or credential that only one owner may use. `job` is background work that one process does at a time.
 */
export type LockName = `${'account' | 'agent' | 'endpoint' | 'job' | 'key' | 'organization'} ${string}`

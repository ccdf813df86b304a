/**
 * Owner of what the service itself provides: an identifier that no account has and no registration can be given, so nobody
 * can act for it.
 */
export const SYSTEM_OWNER = `SVCO-${'0'.repeat(22)}`

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/**
 * The keys that sign for the registry and can be changed: the file of the first one, and how long a former one stays
 * published, which is longer than anything it signed is valid or cached.
 *
 * `push-key.json` is not among them: browsers subscribe to one key.
 */
export const SIGNING_KEYS = {
  /** Access, elevation and agent tokens: 15 minutes. */
  'access-tokens': { file: 'access-token-key.json', curve: 'P-256', overlapMs: HOUR_MS },
  /** A card has no end; whoever stored one fetches it again within this time. */
  'agent-cards': { file: 'agent-card-key.json', curve: 'P-256', overlapMs: 30 * DAY_MS },
  /** Receipts last up to a day. */
  receipts: { file: 'receipt-key.json', curve: 'Ed25519', overlapMs: 2 * DAY_MS },
  /** Whoever has pinned the former key follows the hand-over within this time; both sign meanwhile. */
  checkpoints: { file: 'audit-log-key.json', curve: 'Ed25519', overlapMs: 30 * DAY_MS },
} as const

export type SigningPurpose = keyof typeof SIGNING_KEYS

/** How long a new key is published before it signs: processes read the keys every 30 seconds, and one may fail to once. */
export const LEAD_MINUTES = { least: 2, most: 43_200 } as const

import { normalize } from 'node:path'
import { z } from 'zod'

const relativePath = z
  .string()
  .refine((path) => path === normalize(path) && !path.startsWith('/') && !path.split('/').includes('..'))

/** The schema of a backup's manifest. */
export const manifestSchema = z.object({
  format: z.literal(1),
  createdAt: z.iso.datetime(),
  version: z.string(),
  database: z.enum(['sqlite', 'postgres']),
  /** Contents of the log: records, sealed batches, and how many of the records were in a block. */
  log: z.object({
    records: z.int().min(0),
    batches: z.int().min(0),
    anchoredRecords: z.int().min(0),
  }),
  /** Ids of the keys with which secrets are encrypted; earlier backups have `sealed` instead. */
  secretsKeys: z.array(z.string()).optional(),
  /** A text that only the secrets key of this data can decrypt; null for a service that never started, and by now always. */
  sealed: z.object({ context: z.string(), text: z.string() }).nullable(),
  files: z.array(
    z.object({
      path: relativePath,
      bytes: z.int().min(0),
      sha256: z.string().regex(/^[0-9a-f]{64}$/),
    }),
  ),
})

/** The contents of a backup, with the size and hash of every file. */
export type Manifest = z.infer<typeof manifestSchema>

/** Paths of the parts of a backup in its folder. */
export const BACKUP_PARTS = {
  manifest: 'manifest.json',
  /** Restored into the data folder. */
  data: 'data',
  /** Dump of a PostgreSQL database. */
  dump: 'database.dump',
  registrationFiles: 'registration-files',
} as const

/** Where the parts of a backup lie in its folder. */
export const BACKUP_PARTS = {
  manifest: 'manifest.json',
  /** What goes into the data folder. */
  data: 'data',
  /** Of PostgreSQL. */
  dump: 'database.dump',
  registrationFiles: 'registration-files',
} as const

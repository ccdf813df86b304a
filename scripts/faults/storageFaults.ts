import type { FaultRow } from './faultRow.ts'

/** Faults of disks, of databases, and of the processes that share one. */
export const STORAGE_FAULTS: readonly FaultRow[] = [
  {
    number: 1,
    fault: 'power loss at any write; unsynced writes are dropped, reordered or torn',
    promise:
      'every decision that was returned has its event and its audit entry; without syncs, the same replay finds losses',
    tests: ['test/faults/powerLoss.test.ts'],
  },
  {
    number: 2,
    fault: 'kill -9 under 64 connections',
    promise: 'no returned decision is lost, nothing is stored twice, and the restart needs no repair',
    tests: ['test/faults/kill.test.ts'],
  },
  {
    number: 3,
    fault: 'fsync fails with EIO',
    promise:
      'no decision is returned after a failed commit; the health check fails until an operator has checked the disk',
    tests: ['test/faults/failingSync.test.ts'],
  },
  {
    number: 4,
    fault: 'disk full',
    promise:
      'no grant is returned without a record; the service recovers without a restart once there is space',
    tests: ['test/faults/fullDisk.test.ts'],
  },
  {
    number: 5,
    fault: 'SQLITE_BUSY: another writer, a long reader, a running backup',
    promise: 'a bounded wait, then 503 with Retry-After; no group is committed partially',
    tests: ['test/faults/busyDatabase.test.ts', 'test/server/store/recorder/recorder.sqlite.test.ts'],
  },
  {
    number: 14,
    fault: 'PostgreSQL killed, connections dropped, locks not granted',
    promise:
      'as with SQLite: no returned decision is lost and no cap exceeded; 503 meanwhile; recovery without a restart',
    tests: [
      'test/faults/postgres.test.ts',
      'test/server/store/recorder/{recorder,oldGrants}.postgres.test.ts',
    ],
  },
  {
    number: 24,
    fault: 'migration of a large log killed midway',
    promise: 'the next start finishes it, with equal counts and hashes',
    tests: ['test/faults/killedMigration.test.ts'],
  },
  {
    number: 25,
    fault: 'backup taken during writes, then restored',
    promise: 'the data is a consistent snapshot, and its log verifies',
    tests: ['test/faults/backup.test.ts', 'test/server/services/audit/checkStoredLog.test.ts'],
  },
  {
    number: 33,
    fault:
      'primary database killed under load, with a synchronous standby that is promoted; the former primary comes back',
    promise:
      'no returned decision is lost; the service follows without a restart, grants nothing on outdated facts and does not return to the former primary',
    tests: [
      'test/faults/failover.test.ts',
      'test/server/store/database/connections/{findWritableHost,readStandbyFault}.test.ts',
      'test/server/config/splitDatabaseUrl.test.ts',
    ],
  },
  {
    number: 34,
    fault:
      'the former release and this one, and this one and a next one, side by side over one database under load, rolled forward and back',
    promise:
      'no error except while a process is being stopped, nothing lost, caps, proofs, approvals and revoked keys exact over both, if the migrations in between only expand the tables',
    tests: [
      'test/processes/{formerRelease,twoReleases}.test.ts',
      'test/server/store/database/runMigrations.test.ts',
    ],
  },
  {
    number: 35,
    fault:
      'the sequencer killed at each of its statements; two sequencers at once; a clock that is wrong by a day',
    promise: 'every record gets a place once, none is skipped, and the log has no gap',
    tests: ['test/server/store/audit/{killedSequencer,sequencer,changingLogs}.postgres.test.ts'],
  },
  {
    number: 38,
    fault:
      'four processes over one PostgreSQL; every few seconds one of them, the relayer or the session that gives places is killed',
    promise:
      'every returned decision is placed, anchored and proven exactly once; caps and approvals are exact, whichever process counts',
    tests: ['test/faults/killedProcesses.test.ts', 'test/server/store/recorder/slowCommits.postgres.test.ts'],
  },
]

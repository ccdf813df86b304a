import { AUTHORITY_FAULTS } from './authorityFaults.ts'
import { BORDER_FAULTS } from './borderFaults.ts'
import { CHAIN_FAULTS } from './chainFaults.ts'
import type { FaultRow } from './faultRow.ts'
import { STORAGE_FAULTS } from './storageFaults.ts'

/** The rows of docs/reliability.md, measured by `npm run test:faults`; `npm run test:fuzz` runs those of hostile input. */
export const FAULT_ROWS: readonly FaultRow[] = [
  ...STORAGE_FAULTS,
  ...CHAIN_FAULTS,
  ...BORDER_FAULTS,
  ...AUTHORITY_FAULTS,
].sort((one, other) => one.number - other.number)

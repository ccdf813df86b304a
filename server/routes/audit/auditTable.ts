import type { TableRow } from '../operation.ts'
import { getAuditBatch, getAuditBatches } from './batches.ts'
import { getAuditCheckpoint, getAuditConsistency, getAuditExport, getAuditKey, getChain } from './log.ts'
import {
  getAuditRecord,
  getAuditRecordProof,
  getAuditRecordReceipt,
  postAuditRecordReplay,
} from './records.ts'

/** The operations for the audit log. */
export const AUDIT_TABLE = [
  ['GET', '/api/audit/records/:id', 'optional', 'public', getAuditRecord],
  ['GET', '/api/audit/records/:id/proof', 'anyone', 'public', getAuditRecordProof],
  ['GET', '/api/audit/records/:id/receipt', 'sessionOrApiKey', 'api', getAuditRecordReceipt],
  ['POST', '/api/audit/records/:id/replay', 'sessionOrApiKey', 'api', postAuditRecordReplay],
  ['GET', '/api/audit/batches', 'anyone', 'public', getAuditBatches],
  ['GET', '/api/audit/batches/:number', 'anyone', 'public', getAuditBatch],
  ['GET', '/api/audit/export', 'sessionOrApiKey', 'api', getAuditExport],
  ['GET', '/api/audit/consistency', 'anyone', 'public', getAuditConsistency],
  ['GET', '/api/audit/checkpoint', 'anyone', 'public', getAuditCheckpoint],
  ['GET', '/api/audit/key', 'anyone', 'public', getAuditKey],
  ['GET', '/api/chain', 'anyone', 'public', getChain],
] as const satisfies readonly TableRow[]

export type { ReceiptClaims, StatusReference } from '@svc/core/receipt/receipt.ts'
export {
  createIssuerKeys,
  type IssuerKeys,
  type IssuerKeysConfig,
  type ReceiptKey,
} from './receipts/createIssuerKeys.ts'
export {
  createStatusListCache,
  type GrantStatus,
  type StatusListCache,
  type StatusListCacheConfig,
} from './receipts/createStatusListCache.ts'
export type { IssuerTokenFault } from './receipts/issuerToken.ts'
export {
  type ReceiptCheck,
  type ReceiptFault,
  type ReceiptVerdict,
  verifyReceipt,
} from './receipts/verifyReceipt.ts'
export type { VerifyingKey } from './signatures/importVerifyingKey.ts'

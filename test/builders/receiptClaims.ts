import type { ReceiptClaims } from '@svc/core/receipt/receipt.ts'

/** The claims of a receipt that has every one of them. */
export const RECEIPT_CLAIMS = {
  iss: 'https://registry.example',
  sub: 'SVC-0000000000000000000001',
  aud: 'SVCE-0000000000000000000001',
  jti: '0198c2e4-7b1d-7c3a-9f52-1e6d8a4b7c90',
  recommendation: 'grant',
  accessLevel: 'standard',
  purpose: 'shopping:buy',
  action: 'buy',
  resource: '/orders/1',
  value: 20,
  currency: 'USD',
  identityProof: 'signature',
  sessionId: '6f0c2b9e-4d81-4a37-b5f2-8e1d7c3a9064',
  iat: 1_795_219_200,
  exp: 1_795_222_800,
  cnf: { jkt: 'NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs' },
  status: { status_list: { idx: 12_345, uri: 'https://registry.example/.well-known/status/0' } },
} as const satisfies ReceiptClaims

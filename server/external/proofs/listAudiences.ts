import type { ProofAudience } from './proof.ts'

/** The names by which a token or an intent proof may be addressed to an endpoint: its identifier, and its origins. */
export function listAudiences({ svceId, authorities }: ProofAudience): string[] {
  const origins = authorities.flatMap((authority) => [`https://${authority}`, `http://${authority}`])
  return svceId === null ? origins : [svceId, ...origins]
}

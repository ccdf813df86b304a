/** Whom a proof of a holder is for: the credentials of one agent at this service. */
export function credentialAudience(publicUrl: string, svcId: string): string {
  return `${publicUrl}/api/agents/${svcId}/credentials`
}

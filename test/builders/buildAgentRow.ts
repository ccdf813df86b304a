/**
 * Builds the row of an agent whose identity is pending, with the columns of the first release; `at` in epoch milliseconds.
 */
export function buildAgentRow(svcId: string, at: number) {
  return {
    id: svcId,
    svc_id: svcId,
    owner_id: 'SVCD-1',
    status: 'active',
    name: svcId,
    protocols: '[]',
    declarations: '{}',
    pdlss: '{}',
    pdlss_salt: '00',
    pdlss_hash: '0x00',
    approval_rules: '[]',
    certifications: '[]',
    blockchain_status: 'pending',
    created_at: at,
    updated_at: at,
  }
}

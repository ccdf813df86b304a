/** The settings that name contracts, each with what it names. */
export const CONTRACT_SETTINGS = [
  ['IDENTITY_REGISTRY_ADDRESS', 'identityRegistry'],
  ['AUDIT_LOG_ADDRESS', 'auditLog'],
  ['REPUTATION_REGISTRY_ADDRESS', 'reputationRegistry'],
  ['VALIDATION_REGISTRY_ADDRESS', 'validationRegistry'],
] as const

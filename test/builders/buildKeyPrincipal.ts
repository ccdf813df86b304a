/** Builds the principal of an API key that acts only for one owner, a developer (`SVCD-`) or an organisation (`SVCO-`). */
export function buildKeyPrincipal(owner: string) {
  const isDeveloper = owner.startsWith('SVCD-')
  return {
    kind: 'apiKey' as const,
    keyId: 'key',
    userId: 'user',
    personId: 'user',
    developerId: isDeveloper ? owner : 'SVCD-0000000000000000000001',
    organizationId: isDeveloper ? null : owner,
    actsFor: new Set([owner]),
    writesFor: new Set([owner]),
    suspendedOrganizations: new Set<string>(),
  }
}

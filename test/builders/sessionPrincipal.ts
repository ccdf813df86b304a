/** The principal of a session whose account has no agents. */
export const SESSION_PRINCIPAL = {
  kind: 'session' as const,
  sessionId: 'session',
  userId: 'user',
  developerId: 'SVCD-0000000000000000000001',
  role: 'user',
  isElevated: false,
  amr: ['pwd'],
  authenticatedAt: 0,
  actsFor: new Set<string>(),
  writesFor: new Set<string>(),
  suspendedOrganizations: new Set<string>(),
}

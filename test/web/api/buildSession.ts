import type { Session } from '@svc/core/contract/accounts.ts'

/** A session whose access token carries the given number. */
export function buildSession(number: number, id = 'ada'): Session {
  const user = { id, developerId: `SVCD-${id}`, email: null, isEmailVerified: false, fullName: null }
  return {
    accessToken: `access-${number}`,
    expiresIn: 600,
    user: {
      ...user,
      accountType: 'individual',
      role: 'user',
      kydStatus: 'none',
      createdAt: '2026-01-01T00:00:00.000Z',
    },
  }
}

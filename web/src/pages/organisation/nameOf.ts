import type { Member } from '../../api/types.ts'

/** What a member, or who is invited, is called. */
export function nameOf({ fullName, email }: Pick<Member, 'fullName' | 'email'>): string {
  return fullName ?? email ?? 'A wallet without a name'
}

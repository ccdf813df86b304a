import { z } from 'zod'
import type { Credentials } from './credentials.ts'

const answerSchema = z.object({
  data: z.object({ accessToken: z.string(), refreshToken: z.string(), expiresIn: z.number() }),
})

/** Parses the session in the answer of a sign-in or a renewal. */
export function sessionOf(
  answer: unknown,
  { email, now }: { email: string; now: number },
): NonNullable<Credentials['session']> {
  const { accessToken, refreshToken, expiresIn } = answerSchema.parse(answer).data
  return { email, refreshToken, accessToken, expiresAt: now + expiresIn * 1000 }
}

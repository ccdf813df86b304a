import { sha256Hex } from '@svc/core/hash.ts'
import type { MailedTokenPurpose, MailedTokenStore } from '../../store/accounts/mailedTokenStore.ts'
import { type Post, postMail } from '../mail/postMail.ts'

export type MailTokenDeps = { mailedTokens: Pick<MailedTokenStore, 'replace'>; post: Post }

export type MailTokenInput = {
  purpose: MailedTokenPurpose
  email: string
  now: number
  /** Whether the address has an account. Without one, the same rows are written, but the mail expires before it is sent. */
  isKnown: boolean
}

const HOUR_MS = 60 * 60 * 1000

const PURPOSES = {
  verify_email: { page: 'verify-email', lifetimeMs: 24 * HOUR_MS },
  reset_password: { page: 'reset-password', lifetimeMs: HOUR_MS },
} as const

/**
 * Creates a one-time token of 256 random bits for an address, replacing its previous one, and mails the link.
 *
 * The token is stored as its SHA-256; the mail that contains it is emptied after sending.
 */
export async function mailToken(
  deps: MailTokenDeps,
  trx: Parameters<MailedTokenStore['replace']>[0],
  { purpose, email, now, isKnown }: MailTokenInput,
): Promise<void> {
  const { page, lifetimeMs } = PURPOSES[purpose]
  const token = Buffer.from(deps.post.randomBytes(32)).toString('base64url')
  const expiresAt = now + lifetimeMs
  await deps.mailedTokens.replace(trx, { tokenHash: sha256Hex(token), purpose, email, expiresAt }, now)
  await postMail(deps.post, trx, {
    template: purpose,
    recipient: email,
    data: { link: `${deps.post.appUrl}/${page}?token=${token}` },
    now,
    expiresAt: isKnown ? expiresAt : now,
  })
}

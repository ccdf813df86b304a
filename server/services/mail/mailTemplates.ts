/** What a mail says, before it is text and HTML; all of it plain text. */
export type MailContent = {
  subject: string
  paragraphs: readonly string[]
  action: { label: string; url: string } | null
}

/** What each template is filled with; stored as JSON with the mail until it is sent. */
export type MailData = {
  approval_pending: { agentName: string; link: string; expiresAt: number }
}

export type MailTemplate = keyof MailData

/**
 * Every mail the service sends, one function each; `now` is the moment of sending, in epoch milliseconds.
 *
 * Mails pass through many hands: they hold names and links that want a sign-in, never a value of a boundary or request.
 */
export const MAIL_TEMPLATES: {
  readonly [Template in MailTemplate]: (data: MailData[Template], now: number) => MailContent
} = {
  approval_pending: ({ agentName, link, expiresAt }, now) => ({
    subject: 'An agent waits for your approval',
    paragraphs: [
      `Your agent ${agentName} asked for something that you wanted to be asked about first.`,
      `The request is held. ${timeLeft(expiresAt - now)} Without your approval it does not go through.`,
    ],
    action: { label: 'Look at the request', url: link },
  }),
}

const MINUTE_MS = 60_000

function timeLeft(ms: number): string {
  const minutes = Math.max(1, Math.floor(ms / MINUTE_MS))
  return minutes === 1 ? 'You have a minute to decide.' : `You have ${minutes} minutes to decide.`
}

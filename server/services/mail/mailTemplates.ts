/** What a mail says, before it is text and HTML; all of it plain text. */
export type MailContent = {
  subject: string
  paragraphs: readonly string[]
  action: { label: string; url: string } | null
}

/** What each template is filled with; stored as JSON with the mail until it is sent. */
export type MailData = {
  approval_pending: { agentName: string; link: string; expiresAt: number }
  verify_email: { link: string }
  reset_password: { link: string }
  /** `isFirstProof` where an address that nobody had proven was proven by the reset. */
  password_changed: { isFirstProof?: boolean; link: string }
  sign_in_locked: { link: string }
  codes_locked: { link: string }
  totp_changed: { isOn: boolean; link: string }
  recovery_code_used: { left: number; link: string }
  identity_linked: { providerName: string; link: string }
  /** `walletAddress` is null for a passkey: what it is called, whoever added it has chosen. */
  sign_in_added: { walletAddress: string | null; link: string }
  wallet_removed: { walletAddress: string; link: string }
  registration_pending: { agentName: string; link: string }
  registration_outreach: { agentName: string; link: string }
  invitation: { organizationName: string; role: string; link: string }
  kyd_decided: { isApproved: boolean; link: string }
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
  verify_email: ({ link }) => ({
    subject: 'Confirm your e-mail address',
    paragraphs: [
      'An account was opened with this e-mail address. Confirm within 24 hours that it is yours.',
      'If you did not open an account, leave this mail alone: without you the address stays unconfirmed.',
    ],
    action: { label: 'Confirm the address', url: link },
  }),
  reset_password: ({ link }) => ({
    subject: 'Choose a new password',
    paragraphs: [
      'Somebody asked for a new password for your account. The link is good once, within an hour.',
      'If it was not you, leave this mail alone: your password stays as it is.',
      'If the address of the account was never confirmed, the new password also removes its passkeys, authenticator app, wallets, linked sign-ins and API keys, because somebody else may have set them up.',
    ],
    action: { label: 'Choose a new password', url: link },
  }),
  password_changed: ({ isFirstProof, link }) => ({
    subject: 'Your password was changed',
    paragraphs: isFirstProof
      ? [
          'The password of your account was changed, and its sessions were ended. Its address was not confirmed until then, so that somebody else may have opened it: its passkeys, authenticator app, wallets, linked sign-ins and API keys were removed, and a verified identity with them.',
          'Set up your own anew. Agents, endpoints and organisations of the account stayed: look through them, and retire what is not yours.',
        ]
      : [
          'The password of your account was changed, and its other sessions were ended.',
          'If it was not you, choose a new password now, and look through your passkeys and API keys.',
        ],
    action: { label: 'It was not me', url: link },
  }),
  sign_in_locked: ({ link }) => ({
    subject: 'Many attempts to sign in to your account',
    paragraphs: [
      'Somebody tried to sign in to your account and was wrong ten times. Where they tried from, nobody can sign in by password for a while.',
      'If it was you and you have forgotten your password, choose a new one. If it was not, nothing has happened; a passkey makes guessing useless.',
    ],
    action: { label: 'Choose a new password', url: link },
  }),
  codes_locked: ({ link }) => ({
    subject: 'Somebody knows your password',
    paragraphs: [
      'Somebody gave the right password of your account and was wrong ten times with the code that is asked for then. For a while no code is taken.',
      'If it was not you, choose a new password now. Signing in with a passkey still works.',
    ],
    action: { label: 'Choose a new password', url: link },
  }),
  totp_changed: ({ isOn, link }) => ({
    subject: isOn ? 'Codes of an app are asked for now' : 'Codes of an app are no longer asked for',
    paragraphs: [
      isOn
        ? 'From now on, signing in to your account with a password asks for a code of your authenticator app.'
        : 'Signing in to your account with a password no longer asks for a code of your authenticator app.',
      'If it was not you, choose a new password now and sign out everywhere.',
    ],
    action: { label: 'Look at your account', url: link },
  }),
  recovery_code_used: ({ left, link }) => ({
    subject: 'A recovery code was used',
    paragraphs: [
      `Somebody signed in to your account with one of its recovery codes; ${left} are left.`,
      'If it was not you, choose a new password now and sign out everywhere.',
    ],
    action: { label: 'Look at your account', url: link },
  }),
  registration_pending: ({ agentName, link }) => ({
    subject: 'An agent wants to be registered as yours',
    paragraphs: [
      `With one of your API keys, somebody asks to register the agent ${agentName}.`,
      'It is not registered without your approval, for which you have seven days. Look at what it would be allowed to do first.',
    ],
    action: { label: 'Look at the request', url: link },
  }),
  registration_outreach: ({ agentName, link }) => ({
    subject: 'Somebody asks you to register an agent',
    paragraphs: [
      `${strangersName(agentName)} is said to be yours, and somebody asks you to register it.`,
      'Sign in with this e-mail address, or open an account with it, to look at the request within seven days. Nothing is registered without you.',
      'If you know of no such agent, leave this mail alone.',
    ],
    action: { label: 'Look at the request', url: link },
  }),
  identity_linked: ({ providerName, link }) => ({
    subject: 'Another way to sign in to your account',
    paragraphs: [
      `An account at ${providerName} was linked to yours and signs in to it from now on.`,
      'If it was not you, remove it on your account page now, choose a new password and sign out everywhere.',
    ],
    action: { label: 'Look at your account', url: link },
  }),
  sign_in_added: ({ walletAddress, link }) => ({
    subject: 'Another way to sign in to your account',
    paragraphs: [
      `${walletAddress === null ? 'A passkey' : `The wallet ${walletAddress}`} was added to your account and signs in to it from now on.`,
      'If it was not you, choose a new password now, sign out everywhere and look through your account page.',
    ],
    action: { label: 'Look at your account', url: link },
  }),
  wallet_removed: ({ walletAddress, link }) => ({
    subject: 'A wallet was removed from your account',
    paragraphs: [
      `The wallet ${walletAddress} was removed from your account and no longer signs in to it. The agents that its key registered stay with the account.`,
      'If it was not you, choose a new password now, sign out everywhere and look through your account page.',
    ],
    action: { label: 'Look at your account', url: link },
  }),
  invitation: ({ organizationName, role, link }) => ({
    subject: 'You are invited into an organisation',
    paragraphs: [
      LINK_LIKE.test(organizationName)
        ? `You are invited into an organisation, as ${role}.`
        : `You are invited into the organisation “${organizationName}”, as ${role}.`,
      'Sign in with this e-mail address, or open an account with it, to accept within seven days. Without you nothing happens.',
    ],
    action: { label: 'Look at the invitation', url: link },
  }),
  kyd_decided: ({ isApproved, link }) => ({
    subject: isApproved ? 'Your identity is verified' : 'Your identity could not be verified',
    paragraphs: isApproved
      ? ['A reviewer compared your documents. Your developer identity now carries its verified mark.']
      : [
          'A reviewer looked at your documents and could not verify your identity. The reason is with your account, and you may try again.',
        ],
    action: { label: 'Look at your identity', url: link },
  }),
}

/** What mail programs would make a link of. */
const LINK_LIKE = /:\/\/|[\p{L}\d]\.\p{L}{2,}|@/u

/** A name that anybody may have chosen: one that would turn into a link is left out. */
function strangersName(name: string): string {
  return LINK_LIKE.test(name) ? 'An agent' : `An agent called “${name}”`
}

const MINUTE_MS = 60_000

function timeLeft(ms: number): string {
  const minutes = Math.max(1, Math.floor(ms / MINUTE_MS))
  return minutes === 1 ? 'You have a minute to decide.' : `You have ${minutes} minutes to decide.`
}

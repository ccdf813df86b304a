/** The content of a mail before it is rendered as text and HTML; all members are plain text. */
export type MailContent = {
  subject: string
  paragraphs: readonly string[]
  action: { label: string; url: string } | null
}

/** The data of each template, stored as JSON with the mail until it is sent. */
export type MailData = {
  approvals_unproven: { count: number; agentName: string; link: string; expiresAt: number }
  /** `counterpartyName` is what the endpoint’s owner calls it; mails queued by earlier versions have none. */
  approval_pending: { agentName: string; counterpartyName?: string | null; link: string; expiresAt: number }
  verify_email: { link: string }
  reset_password: { link: string }
  /** `isFirstProof` if the reset was the first confirmation of the address. */
  password_changed: { isFirstProof?: boolean; link: string }
  sign_in_locked: { link: string }
  codes_locked: { link: string }
  totp_changed: { isOn: boolean; link: string }
  recovery_code_used: { left: number; link: string }
  identity_linked: { providerName: string; link: string }
  /** `walletAddress` is null for a passkey, whose name is left out because whoever added it chose it. */
  sign_in_added: { walletAddress: string | null; link: string }
  wallet_removed: { walletAddress: string; link: string }
  passkey_removed: { link: string }
  registration_pending: { agentName: string; link: string }
  registration_outreach: { agentName: string; link: string }
  invitation: { organizationName: string; role: string; link: string }
  kyd_decided: { isApproved: boolean; link: string }
  host_lost: { host: string; link: string }
  account_standing: OperatorNotice & { isSuspended: boolean }
  erasure_requested: { eraseAt: number; link: string }
  export_ready: { expiresAt: number; link: string }
  organization_standing: OperatorNotice & { isSuspended: boolean; organizationName: string }
  endpoint_released: OperatorNotice & { url: string }
}

/** What an operator did, with the reason, and whom to contact about it; `contact` is null if none is configured. */
type OperatorNotice = { reason: string; contact: string | null; link: string }

export type MailTemplate = keyof MailData

/**
 * Every mail that the service sends, one function each; `now` is the time of sending in epoch milliseconds.
 *
 * Mail is not confidential: it contains names and links that require a sign-in, but no details of boundaries or requests.
 */
export const MAIL_TEMPLATES: {
  readonly [Template in MailTemplate]: (data: MailData[Template], now: number) => MailContent
} = {
  approval_pending: ({ agentName, counterpartyName, link, expiresAt }, now) => ({
    subject: 'An agent needs your approval',
    paragraphs: [
      `Your agent ${agentName} has made a request${describeRecipientSafely(counterpartyName)} that needs your approval.`,
      `The request is on hold. ${describeTimeLeft(expiresAt - now)} It will not be granted without your approval.`,
    ],
    action: { label: 'View request', url: link },
  }),
  approvals_unproven: ({ count, agentName, link, expiresAt }, now) => ({
    subject:
      count === 1
        ? 'A request without proof needs your approval'
        : 'Requests without proof need your approval',
    paragraphs: [
      count === 1
        ? `A counterparty reports a request of your agent ${agentName} that needs your approval. Nothing proves that the agent made it.`
        : `A counterparty reports ${count} requests of your agents that need your approval. Nothing proves that the agents made them.`,
      `${count === 1 ? 'It is' : 'They are'} on hold. ${describeTimeLeft(expiresAt - now)} Nothing will be granted without your approval.`,
      'You receive at most one e-mail in ten minutes about such requests of the same counterparty.',
    ],
    action: { label: count === 1 ? 'View request' : 'View requests', url: link },
  }),
  verify_email: ({ link }) => ({
    subject: 'Confirm your e-mail address',
    paragraphs: [
      'An account was created with this e-mail address. Please confirm within 24 hours that the address is yours; on another device, sign in first.',
      'If you did not create an account, ignore this e-mail: the address will remain unconfirmed.',
    ],
    action: { label: 'Confirm address', url: link },
  }),
  reset_password: ({ link }) => ({
    subject: 'Reset your password',
    paragraphs: [
      'Someone requested a new password for your account. The link below works once, within an hour.',
      'If it was not you, ignore this e-mail: your password will not change.',
      'If the e-mail address of the account was never confirmed, choosing a new password also removes its passkeys, authenticator app, wallets, linked identities and API keys, because someone else may have set them up.',
    ],
    action: { label: 'Choose a new password', url: link },
  }),
  password_changed: ({ isFirstProof, link }) => ({
    subject: 'Your password was changed',
    paragraphs: isFirstProof
      ? [
          'The password of your account was changed and its sessions were ended. Because its e-mail address had not been confirmed before, someone else may have created the account. Its passkeys, authenticator app, wallets, linked identities, API keys and any identity verification were therefore removed.',
          'Please set up your own again. The agents, endpoints and organisations of the account were kept: review them, and retire any that are not yours.',
        ]
      : [
          'The password of your account was changed and its other sessions were ended.',
          'If it was not you, choose a new password now and review your passkeys and API keys.',
        ],
    action: { label: 'It was not me', url: link },
  }),
  sign_in_locked: ({ link }) => ({
    subject: 'Failed attempts to sign in to your account',
    paragraphs: [
      'Someone has tried to sign in to your account and failed ten times. Password sign-in from their network is blocked for a while.',
      'If it was you and you have forgotten your password, choose a new one. If it was not, you need not do anything. A passkey protects you against password guessing.',
    ],
    action: { label: 'Choose a new password', url: link },
  }),
  codes_locked: ({ link }) => ({
    subject: 'Someone knows your password',
    paragraphs: [
      'Someone has entered the correct password of your account, but failed ten times to enter a valid code. No codes are accepted for a while.',
      'If it was not you, choose a new password now. You can still sign in with a passkey.',
    ],
    action: { label: 'Choose a new password', url: link },
  }),
  totp_changed: ({ isOn, link }) => ({
    subject: isOn ? 'Authenticator app turned on' : 'Authenticator app turned off',
    paragraphs: [
      isOn
        ? 'Signing in to your account with a password now requires a code from your authenticator app.'
        : 'Signing in to your account with a password no longer requires a code from your authenticator app.',
      'If it was not you, choose a new password now and sign out everywhere.',
    ],
    action: { label: 'View account', url: link },
  }),
  recovery_code_used: ({ left, link }) => ({
    subject: 'A recovery code was used',
    paragraphs: [
      `Someone signed in to your account with a recovery code. Recovery codes left: ${left}.`,
      'If it was not you, choose a new password now and sign out everywhere.',
    ],
    action: { label: 'View account', url: link },
  }),
  registration_pending: ({ agentName, link }) => ({
    subject: 'Request to register an agent as yours',
    paragraphs: [
      `Someone with one of your API keys has requested to register the agent ${agentName}.`,
      'It will not be registered without your approval, which you can give within seven days. Check first what the agent would be allowed to do.',
    ],
    action: { label: 'View request', url: link },
  }),
  registration_outreach: ({ agentName, link }) => ({
    subject: 'Request to register an agent',
    paragraphs: [
      `Someone has named you as the owner of ${describeAgentSafely(agentName)} and asks you to register it.`,
      'To view the request, sign in or create an account with this e-mail address within seven days. Nothing will be registered without your approval.',
      'If you do not know this agent, ignore this e-mail.',
    ],
    action: { label: 'View request', url: link },
  }),
  identity_linked: ({ providerName, link }) => ({
    subject: 'New way to sign in to your account',
    paragraphs: [
      `An account at ${providerName} was linked to yours and can now be used to sign in.`,
      'If it was not you, remove it on your account page now, choose a new password and sign out everywhere.',
    ],
    action: { label: 'View account', url: link },
  }),
  sign_in_added: ({ walletAddress, link }) => ({
    subject: 'New way to sign in to your account',
    paragraphs: [
      `${walletAddress === null ? 'A passkey' : `The wallet ${walletAddress}`} was added to your account and can now be used to sign in.`,
      'If it was not you, choose a new password now, sign out everywhere and review your account page.',
    ],
    action: { label: 'View account', url: link },
  }),
  wallet_removed: ({ walletAddress, link }) => ({
    subject: 'A wallet was removed from your account',
    paragraphs: [
      `The wallet ${walletAddress} was removed from your account and can no longer be used to sign in. The agents registered with its key remain in the account.`,
      'If it was not you, choose a new password now, sign out everywhere and review your account page.',
    ],
    action: { label: 'View account', url: link },
  }),
  passkey_removed: ({ link }) => ({
    subject: 'A passkey was removed from your account',
    paragraphs: [
      'A passkey was removed from your account and can no longer be used to sign in or to approve requests. Other sessions that were opened with a passkey have ended.',
      'If it was not you, choose a new password now, sign out everywhere and review your account page.',
    ],
    action: { label: 'View account', url: link },
  }),
  invitation: ({ organizationName, role, link }) => ({
    subject: 'Invitation to an organisation',
    paragraphs: [
      `You have been invited to join ${describeOrganizationSafely(organizationName)} as ${role}.`,
      'To accept, sign in or create an account with this e-mail address within seven days. If you do nothing, the invitation expires.',
    ],
    action: { label: 'View invitation', url: link },
  }),
  kyd_decided: ({ isApproved, link }) => ({
    subject: isApproved ? 'Your identity is verified' : 'Your identity could not be verified',
    paragraphs: isApproved
      ? ['A reviewer has checked your documents. Your developer identity is now marked as verified.']
      : [
          'A reviewer has checked your documents and could not verify your identity. You can see the reason in your account and try again.',
        ],
    action: { label: 'View verification', url: link },
  }),
  host_lost: ({ host, link }) => ({
    subject: 'Your endpoints on a host were archived',
    paragraphs: [
      `Another account has proven that it controls ${host}, by a DNS record or a file on the host. You had registered endpoints there without proving the host, so they were archived: requests to them are denied from now on. Their history remains.`,
      'If the host is yours, find out who can change its DNS records and its website. Once they have removed the proof and it has lapsed, you can register the host again and prove it yourself.',
    ],
    action: { label: 'View endpoint', url: link },
  }),
  erasure_requested: ({ eraseAt, link }) => ({
    subject: 'Your account will be deleted',
    paragraphs: [
      `Someone signed in to your account has asked to delete it. It will be erased on ${new Date(eraseAt).toISOString().slice(0, 10)}, with its agents and everything stored about you.`,
      'Until then you can sign in and keep the account. After that, nothing can be restored.',
    ],
    action: { label: 'View or keep account', url: link },
  }),
  export_ready: ({ expiresAt, link }) => ({
    subject: 'Your data is ready to download',
    paragraphs: [
      `The export of your data that you requested is ready. You can download it on your account page until ${new Date(expiresAt).toISOString().slice(0, 10)}.`,
      'If you did not request it, sign out everywhere and choose a new password. The file cannot be downloaded without your passkey or a new sign-in.',
    ],
    action: { label: 'View account', url: link },
  }),
  account_standing: ({ isSuspended, ...notice }) => ({
    subject: isSuspended ? 'Your account was suspended' : 'Your account is no longer suspended',
    paragraphs: [
      isSuspended
        ? 'An operator of this service has suspended your account. You are signed out, you cannot sign in, your API keys are refused, and requests of your agents are denied. Nothing was deleted.'
        : 'An operator of this service has ended the suspension of your account. You can sign in again, and your API keys and agents work as before.',
      ...describeReason(notice),
    ],
    action: isSuspended ? null : { label: 'Sign in', url: notice.link },
  }),
  organization_standing: ({ isSuspended, organizationName, ...notice }) => ({
    subject: isSuspended ? 'Your organisation was suspended' : 'Your organisation is no longer suspended',
    paragraphs: [
      isSuspended
        ? `An operator of this service has suspended ${describeOrganizationSafely(organizationName)}. Its API keys are refused, its members cannot change anything of it, its endpoints admit nobody, and requests of its agents are denied. Nothing was deleted, and your own account is not affected.`
        : `An operator of this service has ended the suspension of ${describeOrganizationSafely(organizationName)}. Its API keys, endpoints and agents work as before.`,
      ...describeReason(notice),
    ],
    action: { label: 'View organisation', url: notice.link },
  }),
  endpoint_released: ({ url, ...notice }) => ({
    subject: 'Your endpoint was archived by an operator',
    paragraphs: [
      `An operator of this service has archived your endpoint ${url} and released its URL, which others can now register. Its audit records remain.`,
      ...describeReason(notice),
    ],
    action: { label: 'View endpoint', url: notice.link },
  }),
}

function describeReason({ reason, contact }: OperatorNotice): string[] {
  const whom = contact === null ? 'the people who run this service' : contact
  return [`Reason: ${reason}`, `If you think that this is a mistake, contact ${whom}.`]
}

/** Text that mail clients would turn into a link. */
const LINK_LIKE = /:\/\/|[\p{L}\d]\.\p{L}{2,}|@/u

/** Quotes an agent name that a stranger may have chosen; omits one that would turn into a link. */
function describeAgentSafely(name: string): string {
  return LINK_LIKE.test(name) ? 'an agent' : `an agent called “${name}”`
}

/** Quotes the name that a counterparty gave itself; omits one that would turn into a link, and the host, which is one. */
function describeRecipientSafely(name: string | null | undefined): string {
  return !name || LINK_LIKE.test(name) ? '' : ` to “${name}”`
}

function describeOrganizationSafely(name: string): string {
  return LINK_LIKE.test(name) ? 'an organisation' : `the organisation “${name}”`
}

const MINUTE_MS = 60_000

function describeTimeLeft(ms: number): string {
  const minutes = Math.max(1, Math.floor(ms / MINUTE_MS))
  return minutes === 1 ? 'You have one minute to decide.' : `You have ${minutes} minutes to decide.`
}

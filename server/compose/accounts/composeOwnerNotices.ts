import { join } from 'node:path'
import type { Config } from '../../config.ts'
import { openSecretBoxes, type SecretsConfig } from '../../external/keys/openSecretBoxes.ts'
import { readSigningKey } from '../../external/keys/readSigningKey.ts'
import { createMailer } from '../../external/outbound/mailer.ts'
import { createSendPush, encodePublicKey } from '../../external/outbound/sendPush.ts'
import type { Logger } from '../../external/telemetry/logger.ts'
import { announceApprovals } from '../../services/approvals/announceApprovals.ts'
import type { ApproveApprovalDeps } from '../../services/approvals/approveApproval.ts'
import { expireApprovals } from '../../services/approvals/expireApprovals.ts'
import { mailDigests } from '../../services/approvals/mailDigests.ts'
import type { ReadApprovalDeps } from '../../services/approvals/readApproval.ts'
import { sendMails } from '../../services/mail/sendMails.ts'
import { createPushDispatcher } from '../../services/push/createPushDispatcher.ts'
import { createMailOutboxStore } from '../../store/accounts/mailOutboxStore.ts'
import { createAlertStore } from '../../store/approvals/alertStore.ts'
import { createApprovalDigestStore } from '../../store/approvals/approvalDigestStore.ts'
import { createApprovalStore } from '../../store/approvals/approvalStore.ts'
import { createOwnerContactsStore } from '../../store/approvals/ownerContactsStore.ts'
import { createPushMessageStore } from '../../store/approvals/pushMessageStore.ts'
import { createPushSubscriptionStore } from '../../store/approvals/pushSubscriptionStore.ts'
import { createStandingApprovalStore } from '../../store/approvals/standingApprovalStore.ts'
import { createAuditRecordStore } from '../../store/audit/auditRecordStore.ts'
import type { Db } from '../../store/database/database.ts'
import { createRoundsWorker } from '../../workers/roundsWorker.ts'
import { waitWithGrace } from '../../workers/waitWithGrace.ts'
import { createWriteAs } from '../createWriteAs.ts'

export type ComposeOwnerNoticesDeps = {
  db: Db
  config: SecretsConfig & Pick<Config, 'appUrl' | 'mail' | 'allowPrivateNetwork'>
  passkeys: Pick<ReadApprovalDeps, 'assertionOptions'> & Pick<ApproveApprovalDeps, 'verifyAssertion'>
  ambient: { clock: () => number; randomBytes: (length: number) => Uint8Array; log: Logger }
}

/** Maximum delay until a mail from another process, or an expired approval, is noticed. */
const PAUSE_MS = 2_000

/** Composes what reaches an owner: approvals, alerts and mails, with their background loops. */
export function composeOwnerNotices({ db, config, passkeys, ambient }: ComposeOwnerNoticesDeps) {
  const { clock, randomBytes, log } = ambient
  const approvals = createApprovalStore(db.query)
  const records = createAuditRecordStore(db.query)
  const alerts = createAlertStore(db.query)
  const outbox = createMailOutboxStore()
  const standing = createStandingApprovalStore(db.query)
  const writeAs = createWriteAs(db)
  const decision = { db, approvals, standing, records, randomBytes, clock, writeAs, ...passkeys }
  const settings = { appUrl: config.appUrl, clock, randomBytes }
  const push = createPushParts(db, config)
  const announcement = {
    db,
    approvals,
    alerts,
    digests: createApprovalDigestStore(),
    contacts: createOwnerContactsStore(db.query),
    outbox,
    pushes: push.pushes,
    settings,
  }
  const mailer = createMailer({ ...config.mail, log })

  const mails = createRoundsWorker({
    failing: 'mails cannot be sent',
    round: () => sendMails({ db, outbox, mailer, clock, randomBytes, log }),
    pauseMs: PAUSE_MS,
    log,
  })
  const dispatcher = createPushDispatcher({
    ...{ db, ...push, clock },
    onSettled: () => notifications.wake(),
    onFailure: (err) => log.error({ err }, 'the outcome of a browser notification could not be stored'),
  })
  const notifications = createRoundsWorker({
    failing: 'browsers cannot be notified',
    round: dispatcher.round,
    pauseMs: PAUSE_MS,
    log,
  })
  const notices = createRoundsWorker({
    failing: 'owners cannot be told of approvals',
    async round() {
      const announced = await announceApprovals(announcement)
      const mailed = await mailDigests(announcement)
      if (announced + mailed > 0) {
        mails.wake()
        notifications.wake()
      }
      return announced + mailed + (await expireApprovals(decision))
    },
    pauseMs: PAUSE_MS,
    log,
  })
  const stopInOrder = async () => {
    await notices.stop()
    await notifications.stop()
    await dispatcher.stop()
    await mails.stop()
    mailer.close()
  }
  return {
    parts: { ...decision, alerts, ...push, allowPrivateNetwork: config.allowPrivateNetwork },
    /** Call when an approval was requested. */
    onOwnerAsked: notices.wake,
    /** Call when a mail was added to the outbox. */
    onMailQueued: mails.wake,
    start() {
      notices.start()
      mails.start()
      notifications.start()
    },
    stop: () => waitWithGrace(stopInOrder()),
  }
}

/** What notifies browsers: their addresses, the messages, and the key by which push services know this service. */
function createPushParts(db: Db, config: ComposeOwnerNoticesDeps['config']) {
  const { appUrl, dataDir, allowPrivateNetwork: allowPrivate } = config
  const key = readSigningKey(join(dataDir, 'push-key.json'))
  const subject = appUrl.startsWith('https:') ? appUrl : 'mailto:operator@localhost'
  return {
    secrets: openSecretBoxes(config).secrets,
    subscriptions: createPushSubscriptionStore(db.query),
    pushes: createPushMessageStore(),
    send: createSendPush({ allowPrivate, key, subject }),
    pushPublicKey: encodePublicKey(key),
  }
}

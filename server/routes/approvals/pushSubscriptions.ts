import { postPushSubscriptionBody, pushSubscriptionOperations } from '@svc/core/contract/pushSubscriptions.ts'
import { parseInput } from '../../middleware/parseInput.ts'
import {
  type AddPushSubscriptionDeps,
  addPushSubscription,
  type ListPushSubscriptionsDeps,
  listPushSubscriptions,
  type RemovePushSubscriptionDeps,
  removePushSubscription,
} from '../../services/push/changePushSubscriptions.ts'
import { callerOf } from '../border/callerOf.ts'
import { clientOf } from '../border/clientOf.ts'
import { operation } from '../operation.ts'

export const getPushSubscriptions = operation({
  summary: 'Lists the browsers that notify the caller of approvals, and the key for adding this one.',
  answer: pushSubscriptionOperations['GET /api/push-subscriptions'].answer,
  errors: [],
  handle: (parts: { approvals: ListPushSubscriptionsDeps }) => async (call) => {
    const principal = callerOf(call, 'session')
    return { body: { success: true, ...(await listPushSubscriptions(parts.approvals, { principal })) } }
  },
})

/** Source: Push API §8; RFC 8030. */
export const postPushSubscription = operation({
  summary:
    'Notifies a browser of approvals by Web Push. A browser that subscribes again replaces its former subscription; an account has at most ten.',
  body: pushSubscriptionOperations['POST /api/push-subscriptions'].body,
  status: 201,
  answer: pushSubscriptionOperations['POST /api/push-subscriptions'].answer,
  errors: ['VALIDATION_ERROR'],
  handle: (parts: { approvals: AddPushSubscriptionDeps }) => async (call) => {
    const principal = callerOf(call, 'session')
    const { endpoint, keys } = parseInput(postPushSubscriptionBody, call.body)
    const { browser } = clientOf(call)
    const subscription = await addPushSubscription(parts.approvals, {
      ...{ principal, browser, endpoint, keys, now: call.now },
    })
    return { status: 201, body: { success: true, subscription } }
  },
})

export const deletePushSubscription = operation({
  summary: 'Stops notifying one of the caller’s browsers.',
  answer: pushSubscriptionOperations['DELETE /api/push-subscriptions/:id'].answer,
  errors: ['NOT_FOUND'],
  handle: (parts: { approvals: RemovePushSubscriptionDeps }) => async (call) => {
    const principal = callerOf(call, 'session')
    await removePushSubscription(parts.approvals, { principal, id: call.params.id ?? '' })
    return { body: { success: true } }
  },
})

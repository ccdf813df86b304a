import { ApiFailure } from '../../api/apiFailure.ts'

const WORKER = { url: '/push-worker.js', scope: '/push-worker/' }

/** Whether this browser can be notified: only on HTTPS or localhost, and not in every browser. */
export function canBeNotified(): boolean {
  return 'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window
}

/**
 * Asks for permission and subscribes this browser to notifications of the service with this key.
 *
 * Call it on a click only: browsers refuse pages that ask by themselves.
 *
 * @throws ApiFailure if the person or the browser refuses. Source: Push API §7.
 */
export async function subscribeBrowser(publicKey: string) {
  if ((await Notification.requestPermission()) !== 'granted') {
    throw new ApiFailure(
      'NOTIFICATIONS_REFUSED',
      'This browser does not allow notifications from this site. Allow them in its settings and try again.',
    )
  }
  const { url, scope } = WORKER
  const registration = await navigator.serviceWorker.register(url, { scope })
  await awaitActive(registration)
  const { endpoint, keys } = (await subscribe(registration, publicKey)).toJSON()
  return { endpoint: endpoint ?? '', keys: { p256dh: keys?.p256dh ?? '', auth: keys?.auth ?? '' } }
}

/** A subscription with another key, of a service that was set up again, has to end first. */
async function subscribe({ pushManager }: ServiceWorkerRegistration, publicKey: string) {
  const options = { userVisibleOnly: true, applicationServerKey: publicKey }
  try {
    return await pushManager.subscribe(options)
  } catch (error) {
    if (error instanceof DOMException && error.name === 'InvalidStateError') {
      await (await pushManager.getSubscription())?.unsubscribe()
      return pushManager.subscribe(options)
    }
    throw new ApiFailure(
      'NOTIFICATIONS_UNAVAILABLE',
      'This browser could not reach its push service. Try again later or in another browser.',
    )
  }
}

async function awaitActive({ installing, waiting, active }: ServiceWorkerRegistration): Promise<void> {
  const worker = installing ?? waiting
  if (active || worker === null) return
  await new Promise<void>((resolve) => {
    worker.addEventListener('statechange', () => worker.state === 'activated' && resolve())
  })
}

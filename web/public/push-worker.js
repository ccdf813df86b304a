// Shows that an approval is waiting, and opens it on a click. Registered by `subscribeBrowser` under a scope without pages.

self.addEventListener('push', (event) => {
  const { title, path } = event.data.json()
  const options = { tag: path, data: { path }, icon: '/favicon.svg', body: 'Open to approve or deny.' }
  event.waitUntil(self.registration.showNotification(title, options))
})

self.addEventListener('notificationclick', (event) => {
  event.notification.close()
  event.waitUntil(openPage(event.notification.data.path))
})

/** Opens a page of the dashboard, in a window that shows it already if there is one. */
async function openPage(path) {
  const { href, origin } = new URL(path, self.location.origin)
  if (origin !== self.location.origin) return
  const windows = await self.clients.matchAll({ type: 'window', includeUncontrolled: true })
  const open = windows.find(({ url }) => url === href)
  await (open ? open.focus() : self.clients.openWindow(href))
}

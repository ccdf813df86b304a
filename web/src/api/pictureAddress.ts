/** An address that holds a picture itself: the page's policy lets pictures come from nowhere else. */
export function pictureAddress(picture: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result))
    reader.onerror = () => reject(new Error('the picture cannot be read', { cause: reader.error }))
    reader.readAsDataURL(picture)
  })
}

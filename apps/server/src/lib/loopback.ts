/** Host names of this machine as URLs have them. */
export const loopbackNames = ['localhost', '127.0.0.1', '[::1]']

export const isLoopback = (hostname: string) => loopbackNames.includes(hostname)

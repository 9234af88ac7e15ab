/** Browser features that no page of the portal uses and no frame in it may use. */
const unusedFeatures = [
  'accelerometer',
  'camera',
  'geolocation',
  'gyroscope',
  'magnetometer',
  'microphone',
  'midi',
  'payment',
  'usb',
];

/** For answers of the dashboard tool, which only the portal's own page may frame. The tool itself sends the policy for scripts. */
export const framedBySelf = {
  'content-security-policy': "frame-ancestors 'self'",
  'x-frame-options': 'SAMEORIGIN',
} as const;

/** The security headers of every response, including those that no route or hook sees. */
export function securityHeaders(publicUrl: string): Readonly<Record<string, string>> {
  const isHttps = publicUrl.startsWith('https:');
  const contentSecurityPolicy = [
    "default-src 'self'",
    // Mantine sets style attributes, and the charts of the dashboard tool do; scripts come only from files.
    "style-src 'self' 'unsafe-inline'",
    `img-src 'self' data: blob: https:${isHttps ? '' : ' http:'}`,
    "worker-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    ...(isHttps ? ['upgrade-insecure-requests'] : []),
  ];
  return {
    'content-security-policy': contentSecurityPolicy.join(';'),
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'origin-agent-cluster': '?1',
    'permissions-policy': unusedFeatures.map((feature) => `${feature}=()`).join(', '),
    'referrer-policy': 'same-origin',
    // The portal does not decide for subdomains.
    ...(isHttps ? { 'strict-transport-security': 'max-age=31536000' } : {}),
    'x-content-type-options': 'nosniff',
    'x-dns-prefetch-control': 'off',
    'x-download-options': 'noopen',
    'x-frame-options': 'DENY',
    'x-permitted-cross-domain-policies': 'none',
    'x-xss-protection': '0',
  };
}

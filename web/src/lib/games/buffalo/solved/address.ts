/** Where a certificate is told about: what it proves, to download and to check. */
export const certificateAddress = (name: string): string =>
    `/solved#certificate-${encodeURIComponent(name)}`;

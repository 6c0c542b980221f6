<?php
/**
 * Signatures of callbacks, by Standard Webhooks.
 *
 * @package Comporta\WooCommerce
 */

declare(strict_types=1);

namespace Comporta\WooCommerce;

defined( 'ABSPATH' ) || exit;

/** Verifies callbacks. */
final class Signature {

	/** A callback with an older or a future time may be a copy, so it is refused. */
	private const AGE_SECONDS_MAX = 300;

	/**
	 * Whether a recent signature matches one of the secrets.
	 *
	 * @param string        $id         Header webhook-id.
	 * @param string        $timestamp  Header webhook-timestamp: seconds since 1970.
	 * @param string        $signatures Header webhook-signature: one or more of `v1,<base64>`, with spaces between them.
	 * @param string        $body       Unchanged body of the callback.
	 * @param array<string> $secrets    `whsec_…`; two during a change of the secret.
	 * @param int           $now        Seconds since 1970.
	 */
	public static function verifies( string $id, string $timestamp, string $signatures, string $body, array $secrets, int $now ): bool {
		if ( '' === $id || 1 !== preg_match( '/^\d{1,12}$/D', $timestamp ) || abs( $now - (int) $timestamp ) > self::AGE_SECONDS_MAX ) {
			return false;
		}
		$verified = false;
		foreach ( $secrets as $secret ) {
			$key = self::key( $secret );
			if ( null === $key ) {
				continue;
			}
			$wanted = 'v1,' . base64_encode( hash_hmac( 'sha256', "$id.$timestamp.$body", $key, true ) );
			foreach ( explode( ' ', $signatures ) as $given ) {
				// Compares all signatures in constant time, so that the duration reveals nothing.
				$verified = hash_equals( $wanted, $given ) || $verified;
			}
		}
		return $verified;
	}

	/** Bytes of a secret; null if it is not valid. */
	public static function key( string $secret ): ?string {
		if ( ! str_starts_with( $secret, 'whsec_' ) ) {
			return null;
		}
		$key = base64_decode( substr( $secret, strlen( 'whsec_' ) ), true );
		return false === $key || strlen( $key ) < 16 ? null : $key;
	}
}

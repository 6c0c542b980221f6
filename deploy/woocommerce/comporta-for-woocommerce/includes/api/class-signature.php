<?php
/**
 * Whether a callback was sent by the gateway: its signature as Standard Webhooks define it, checked without a call.
 *
 * @package Comporta\WooCommerce
 */

declare(strict_types=1);

namespace Comporta\WooCommerce;

defined( 'ABSPATH' ) || exit;

/** Verifies callbacks. */
final class Signature {

	/** What is older, or further in the future, is somebody's repetition. */
	private const AGE_SECONDS_MAX = 300;

	/**
	 * Whether one of the signatures was made with one of the secrets, lately.
	 *
	 * @param string        $id         Header webhook-id.
	 * @param string        $timestamp  Header webhook-timestamp: seconds since 1970.
	 * @param string        $signatures Header webhook-signature: one or more of `v1,<base64>`, with spaces between them.
	 * @param string        $body       Exactly as it came.
	 * @param array<string> $secrets    `whsec_…`; two while the secret is being changed.
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
				// Each is compared, in constant time: how long it takes says nothing about which was nearly right.
				$verified = hash_equals( $wanted, $given ) || $verified;
			}
		}
		return $verified;
	}

	/** The bytes of a secret; null for what is none. */
	public static function key( string $secret ): ?string {
		if ( ! str_starts_with( $secret, 'whsec_' ) ) {
			return null;
		}
		$key = base64_decode( substr( $secret, strlen( 'whsec_' ) ), true );
		return false === $key || strlen( $key ) < 16 ? null : $key;
	}
}

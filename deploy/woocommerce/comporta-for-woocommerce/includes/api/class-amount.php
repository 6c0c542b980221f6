<?php
/**
 * Money as whole cents, without floating point.
 *
 * @package Comporta\WooCommerce
 */

declare(strict_types=1);

namespace Comporta\WooCommerce;

defined( 'ABSPATH' ) || exit;

/** Reads and writes amounts. */
final class Amount {

	/**
	 * Converts an amount to cents.
	 *
	 * @param mixed $amount Decimal text such as "10.50", zero or more; a number is taken as PHP writes it.
	 * @return int|null Null for what is no such amount, or has parts of a cent.
	 */
	public static function cents( mixed $amount ): ?int {
		$text = is_int( $amount ) || is_float( $amount ) ? (string) $amount : $amount;
		if ( ! is_string( $text ) || 1 !== preg_match( '/^(\d{1,12})(?:\.(\d+))?$/D', trim( $text ), $parts ) ) {
			return null;
		}
		$fraction = rtrim( $parts[2] ?? '', '0' );
		return strlen( $fraction ) > 2 ? null : (int) ( $parts[1] . str_pad( $fraction, 2, '0' ) );
	}

	/**
	 * Decimal text with two decimals.
	 *
	 * @param int $cents Zero or more.
	 */
	public static function text( int $cents ): string {
		return sprintf( '%d.%02d', intdiv( $cents, 100 ), $cents % 100 );
	}
}

<?php
/**
 * Route for callbacks, which verifies the signature first.
 *
 * @package Comporta\WooCommerce
 */

declare(strict_types=1);

namespace Comporta\WooCommerce;

defined( 'ABSPATH' ) || exit;

/** `/wc-api/comporta_callback`. */
final class Callback_Route {

	private const BODY_BYTES_MAX = 65_536;

	/** Texts of the answers, for the gateway's list of deliveries. */
	private const ANSWERS = array(
		200 => 'The order follows.',
		202 => 'It is about no order of this shop.',
		401 => 'The signature is not right: compare the signing secret in the settings of the shop.',
		404 => 'The API key of the shop is not of the wallet that this callback is about.',
		405 => 'Callbacks are sent by POST.',
		413 => 'The body is too large.',
		503 => 'The shop cannot take it now: send it again.',
	);

	/** Answers the request, and ends it. */
	public static function serve(): void {
		$status = self::answer_to( (string) file_get_contents( 'php://input', false, null, 0, self::BODY_BYTES_MAX + 1 ) );
		if ( 404 === $status ) {
			wc_get_logger()->error( self::ANSWERS[404], LOG_SOURCE );
		}
		status_header( $status );
		header( 'Content-Type: text/plain; charset=utf-8' );
		echo esc_html( self::ANSWERS[ $status ] );
		exit;
	}

	/** The status for a request with this body. */
	private static function answer_to( string $body ): int {
		$settings = Settings::load();
		if ( 'POST' !== ( $_SERVER['REQUEST_METHOD'] ?? '' ) ) {
			return 405;
		}
		if ( strlen( $body ) > self::BODY_BYTES_MAX ) {
			return 413;
		}
		if ( ! $settings->is_complete() ) {
			return 503;
		}
		if ( ! Signature::verifies( self::header( 'ID' ), self::header( 'TIMESTAMP' ), self::header( 'SIGNATURE' ), $body, $settings->secrets(), time() ) ) {
			return 401;
		}
		$event = Exact_Json::decode( $body );
		$id    = $event['operation_id'] ?? null;
		return is_string( $id ) ? ( new Operations( Api::of_settings() ) )->follow( $id ) : Operations::NOT_OURS;
	}

	/** A header of Standard Webhooks; empty if it is missing. */
	private static function header( string $name ): string {
		return sanitize_text_field( wp_unslash( $_SERVER[ "HTTP_WEBHOOK_$name" ] ?? '' ) );
	}
}

<?php
/**
 * Calls the gateway's API with the shop's key.
 *
 * @package Comporta\WooCommerce
 */

declare(strict_types=1);

namespace Comporta\WooCommerce;

defined( 'ABSPATH' ) || exit;

/** The gateway, over HTTP. */
final class Api {

	private const TIMEOUT_SECONDS = 10;

	/** Wait before a repetition, in microseconds. */
	private const PAUSES = array( 300_000, 1_000_000 );

	/**
	 * Address, key and scheme of a gateway.
	 *
	 * @param string $address Address of the gateway, without a final slash.
	 * @param string $key     API key.
	 * @param string $scheme  Word before the key.
	 */
	public function __construct( private string $address, private string $key, private string $scheme ) {}

	/** The gateway of the settings. */
	public static function of_settings(): self {
		$settings = Settings::load();
		return new self( $settings->address, $settings->api_key, $settings->scheme );
	}

	/**
	 * Sends a GET request.
	 *
	 * @param array<string,string> $query Parameters.
	 */
	public function get( string $path, array $query = array() ): Answer {
		return $this->call( 'GET', $path . ( array() === $query ? '' : '?' . http_build_query( $query ) ) );
	}

	/**
	 * Sends a POST request, and repeats it after an unknown outcome.
	 *
	 * @param array<string,mixed> $body With a `request_id`.
	 */
	public function post( string $path, array $body ): Answer {
		$answer = $this->call( 'POST', $path, $body );
		foreach ( self::PAUSES as $pause ) {
			if ( ! $answer->is_unclear() ) {
				break;
			}
			usleep( $pause );
			$answer = $this->call( 'POST', $path, $body );
		}
		return $answer;
	}

	/** Sends a DELETE request. */
	public function delete( string $path ): Answer {
		return $this->call( 'DELETE', $path );
	}

	/**
	 * Sends one request. No log contains the key or the body.
	 *
	 * @param array<string,mixed>|null $body Sent as JSON.
	 */
	private function call( string $method, string $path, ?array $body = null ): Answer {
		$arguments = array(
			'method'      => $method,
			'timeout'     => self::TIMEOUT_SECONDS,
			'redirection' => 0,
			'headers'     => array(
				'Authorization' => "{$this->scheme} {$this->key}",
				'Accept'        => 'application/json',
				'User-Agent'    => 'Comporta-WooCommerce/' . VERSION,
			),
		);
		if ( null !== $body ) {
			$arguments['headers']['Content-Type'] = 'application/json';
			$arguments['body']                    = wp_json_encode( $body );
		}
		$response = wp_remote_request( $this->address . $path, $arguments );
		$answer   = is_wp_error( $response )
			? new Answer( 0, array() )
			: new Answer(
				(int) wp_remote_retrieve_response_code( $response ),
				Exact_Json::decode( wp_remote_retrieve_body( $response ) ) ?? array()
			);
		if ( 200 !== $answer->status ) {
			$reason = is_wp_error( $response ) ? $response->get_error_message() : $answer->explanation();
			wc_get_logger()->warning( "$method $path: $reason", LOG_SOURCE );
		}
		return $answer;
	}
}
